"""The outside to Drafts: what other places know about a paper. The network is passed in."""
