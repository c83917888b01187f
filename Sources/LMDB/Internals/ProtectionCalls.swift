// The calls of Darwin for the protection of files.

#if canImport(Darwin)
import Darwin

enum ProtectionCalls {
    /// Gives an open file a class of protection. A volume without classes is not an error.
    ///
    /// - Parameter number: The number of the class, from 1 (complete) to 4 (none).
    /// - Returns: 0, or an `errno`.
    static func setClass(_ number: Int32, of descriptor: Int32) -> Int32 {
        guard fcntl(descriptor, F_SETPROTECTIONCLASS, number) == -1 else { return 0 }
        let code = errno
        return [ENOTSUP, ENOTTY, EINVAL].contains(code) ? 0 : code
    }

    /// Gives an open file the class of another one, as far as both volumes have classes.
    static func copyClass(from source: Int32, to target: Int32) {
        let number = fcntl(source, F_GETPROTECTIONCLASS)
        if number > 0 { _ = fcntl(target, F_SETPROTECTIONCLASS, number) }
    }

    /// Creates a lock file with the class of its data file, before liblmdb opens it. Does nothing if it exists.
    ///
    /// - Parameter mode: The mode of the new file.
    /// - Returns: 0, or an `errno`.
    static func createLockFile(_ path: String, beside dataFile: String, mode: UInt16) -> Int32 {
        let target = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(mode))
        guard target >= 0 else { return errno == EEXIST ? 0 : errno }
        defer { close(target) }
        let source = unsafe open(dataFile, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { return errno }
        defer { close(source) }
        copyClass(from: source, to: target)
        return 0
    }
}
#endif
