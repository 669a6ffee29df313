"""The command lines; each file is one program and holds arguments only."""
