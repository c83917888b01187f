// The events of written files on Darwin, by Dispatch's sources of a file system object.

#if canImport(Darwin)

import Darwin
import Dispatch

/// The sources of the watched files: one for each watch, with a descriptor of its own.
///
/// A source reports every write. A watch that is not armed passes over it.
final class FileEvents: Sendable {
    static let shared = FileEvents()

    private let sources = Monitor<[ObjectIdentifier: any DispatchSourceFileSystemObject]>([:])
    private let queue = DispatchQueue(label: "trove.lmdb.events", qos: .userInitiated)
    /// A forked child must leave the sources, and the lock, to its parent.
    private let forkGeneration = ForkGuard.current

    /// Begins to report the writes of a file.
    ///
    /// - Parameter file: A descriptor of the data file. It can be closed afterwards. A second descriptor of the data
    ///   file does not touch the locks of the process, which are on the lock file.
    /// - Returns: 0 or an `errno`.
    func add(_ watch: FileWatch, _ file: Int32) -> Int32 {
        guard forkGeneration == ForkGuard.current else { return ENOTSUP }
        return sources.withLock { sources in
            if sources[ObjectIdentifier(watch)] != nil { return 0 }
            let descriptor = fcntl(file, F_DUPFD_CLOEXEC, 0)
            guard descriptor >= 0 else { return errno }
            let source = DispatchSource.makeFileSystemObjectSource(
                fileDescriptor: descriptor, eventMask: .write, queue: queue)
            source.setEventHandler { [weak watch] in watch?.noteWrite() }
            source.setCancelHandler { close(descriptor) }
            source.activate()
            sources[ObjectIdentifier(watch)] = source
            return 0
        }
    }

    /// Forgets a watch, and ends its source.
    func remove(_ watch: FileWatch) {
        guard forkGeneration == ForkGuard.current else { return }
        sources.withLock { $0.removeValue(forKey: ObjectIdentifier(watch))?.cancel() }
    }

    /// The number of watches; for tests.
    var count: Int { sources.withLock { $0.count } }

    func contains(_ watch: FileWatch) -> Bool { sources.withLock { $0[ObjectIdentifier(watch)] != nil } }
}

#endif
