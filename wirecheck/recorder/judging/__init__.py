"""Records in, Findings out: what was recorded is judged, told, marked, and refused where that is asked for."""
