// The files of the library for Apple's platforms, compiled here beside the stand-in for CloudKit, are in `Library`, a
// link to their folder. They are files of Trove, so they do not import it.

@_exported import Trove
