// response.c - to come.
