// What becomes of a draw's pixels, as far as its state says. PRM: Gen8 vol 7 "Windower", "Pixel Shader Dispatch",
// "Depth and Stencil"; 3DSTATE_WM, 3DSTATE_PS_EXTRA, 3DSTATE_PS_BLEND.
#pragma once

#include "pipeline/draw.h"

namespace vitro::pipeline {

// What decides when tests are made, whether there are threads at all, and what they leave.
struct PixelPlan {
  bool dispatches = false;
  bool late = false;           // tests are made by messages of the thread
  bool paints = false;         // nothing comes of its pixels but colours: no tests, and no memory is written otherwise
  bool covers = false;         // ...and these do not depend on what was there
  bool covers_passed = false;  // the same of the pixels that pass, where there are tests, which come first
};
PixelPlan pixel_plan(const Draw&);

}  // namespace vitro::pipeline
