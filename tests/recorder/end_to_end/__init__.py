"""The recorder as a process, on real sockets: what it writes, what it lets through, and how it fails."""
