#pragma once

// TagLib writes what it dislikes about a file to the standard error stream; the outcome says it.
void silenceTagLib();
