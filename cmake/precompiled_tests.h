// What nearly every test of the rooms includes anyway.
#include "precompiled.h"

#include <gmock/gmock.h>
