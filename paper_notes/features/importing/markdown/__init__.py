"""Collections of Markdown notes as other tools keep them: MkDocs, Hugo, Obsidian, VitePress, Docusaurus, Jekyll."""
