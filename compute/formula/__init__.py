"""The formula language: text to tokens, to a tree, to closures over exact numbers.

text ──lexer──▶ tokens ──parser──▶ syntax tree ──lower──▶ terms ──compiler──▶ closures
                                                    │
                                                    └── unit_types: do the units fit?
"""
