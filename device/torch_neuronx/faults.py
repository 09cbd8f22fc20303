def arm_from_environment(): pass
def strike_compilation(g): pass
def strike_load(g): pass
