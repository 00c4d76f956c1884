// Nothing yet.
#include "pipeline/arena.h"
