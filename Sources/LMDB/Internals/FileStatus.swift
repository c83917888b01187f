// The status of a file.

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The status of a file, read without opening it.
struct FileStatus {
    enum Kind { case regular, directory, other }

    var identity: FileIdentity
    var kind: Kind
    var size: Int
    var links: Int
}
