export default { title: "Looms" }
