"""The formula language: text to tokens, to a tree, to closures over exact numbers or arrays.

text ──lexer──▶ tokens ──parser──▶ tree of names ──lowering──▶ tree of slots ──compiler──▶ closures
                                                                   │
                                                                   └── unit_types: do the units fit?
"""
