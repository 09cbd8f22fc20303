def arm_from_environment(): pass
