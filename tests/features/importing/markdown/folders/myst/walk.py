steps = [1, -1]
