CARD = """prices:
  - {item: example/gpu, component: on_demand, value: <value> USD/GPU/h, from: 2026-01-01,
     source: 'https://example.com/prices', checked: 2026-11-01}
"""
CLAIM = """claims:
  - {id: gpu-costs-two, node: mara/gpu, says: A GPU costs two dollars an hour., as_of: 2026-11-01,
     value: 'price("example/gpu", "on_demand")', expect: {is: 2 USD/GPU/h, within: 0.1 USD/GPU/h}}
"""
NOTE = "---\ntitle: GPU\nkind: thesis\nbrain: mara\n---\nA GPU costs two dollars an hour.\n"
