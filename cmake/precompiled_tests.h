// Headers that nearly every unit test includes.
#include "precompiled.h"

#include <gmock/gmock.h>
