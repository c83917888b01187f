// The events of written files on Linux, by inotify.

#if os(Linux)

import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The process's inotify instance, open from the first watch on: the system allows a user only 128 instances.
///
/// A mark on a file ends with its first event. A plain mark would wake the process several times for a commit, and cost
/// the writer a third of its time.
final class FileEvents: Sendable {
    static let shared = FileEvents()

    private struct State {
        /// The instance; nil before the first watch.
        var source: (any DispatchSourceRead)?
        /// The latest mark of each watch. Its event may have come.
        var latest: [ObjectIdentifier: Int32] = [:]
        /// The watches of the marks whose event has not come.
        var marks: [Int32: Mark] = [:]

        /// The watch that made each of these marks last. The watches of a file share its mark, and the last one armed
        /// gets the event: an environment is closed before its file is opened again.
        var owners: [Int32: ObjectIdentifier] = [:]

        mutating func insert(_ watch: FileWatch, _ mark: Int32) {
            // After an overflow, the event of the mark before may never come.
            _ = take(watch)
            latest[ObjectIdentifier(watch)] = mark
            owners[mark] = ObjectIdentifier(watch)
            marks[mark] = Mark(watch: watch)
        }

        /// Forgets a watch. Returns its mark, unless the event has come or the mark is now that of another watch.
        mutating func take(_ watch: FileWatch) -> Int32? {
            let identifier = ObjectIdentifier(watch)
            guard let mark = latest.removeValue(forKey: identifier), owners[mark] == identifier else { return nil }
            return remove(mark) == nil ? nil : mark
        }

        /// Forgets a mark whose event has come or will not come.
        mutating func remove(_ mark: Int32) -> Mark? {
            owners[mark] = nil
            return marks.removeValue(forKey: mark)
        }
    }

    private struct Mark { weak var watch: FileWatch? }

    private let state = Monitor(State())
    private let queue = DispatchQueue(label: "trove.lmdb.events", qos: .userInitiated)
    /// A forked child must leave the instance, and the lock, to its parent.
    private let forkGeneration = ForkGuard.current

    deinit { state.withLock { $0.source?.cancel() } }

    /// Marks a file for its next write.
    ///
    /// - Parameter file: A descriptor of the file. It can be closed afterwards.
    /// - Returns: 0 or an `errno`.
    func add(_ watch: FileWatch, _ file: Int32) -> Int32 {
        guard forkGeneration == ForkGuard.current else { return ENOTSUP }
        return state.withLock { state in
            guard let instance = state.source ?? open() else { return errno }
            state.source = instance
            let mark = unsafe inotify_add_watch(
                Int32(instance.handle), "/proc/self/fd/\(file)", UInt32(IN_MODIFY) | UInt32(IN_ONESHOT))
            guard mark >= 0 else { return errno }
            state.insert(watch, mark)
            return 0
        }
    }

    /// Forgets a watch, and removes its mark.
    func remove(_ watch: FileWatch) {
        guard forkGeneration == ForkGuard.current else { return }
        state.withLock { state in
            guard let mark = state.take(watch), let instance = state.source else { return }
            _ = inotify_rm_watch(Int32(instance.handle), mark)
        }
    }

    /// The number of watches; for tests.
    var count: Int { state.withLock { max($0.latest.count, $0.marks.count) } }

    func contains(_ watch: FileWatch) -> Bool { state.withLock { $0.latest[ObjectIdentifier(watch)] != nil } }

    /// Opens the instance; nil, with `errno`, if the system refuses it.
    private func open() -> (any DispatchSourceRead)? {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { [weak self] in self?.readEvents(of: descriptor) }
        source.setCancelHandler { close(descriptor) }
        source.activate()
        return source
    }

    /// Reads the pending events, and reports them to their watches.
    private func readEvents(of descriptor: Int32) {
        while true {
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
                count = unsafe max(0, read(descriptor, buffer.baseAddress, buffer.count))
            }
            if bytes.isEmpty { return }
            for event in InotifyEvent.all(in: bytes) { report(event) }
        }
    }

    private func report(_ event: InotifyEvent) {
        let written = state.withLock { state -> [Mark] in
            if event.isOverflow { return Array(state.marks.values) }
            // The system ends the mark. Another event says so, and comes without a mark.
            return state.remove(event.mark).map { [$0] } ?? []
        }
        for mark in written { mark.watch?.noteWrite() }
    }
}

/// An event of inotify.
///
///     event = mark(Int32) kinds(UInt32) cookie(UInt32) nameLength(UInt32) name         in the machine's byte order
struct InotifyEvent: Hashable {
    private static let headSize = 16

    /// The number of the mark; -1 for an overflow.
    let mark: Int32
    /// Whether the system's queue was full, so that events of any mark may be lost.
    let isOverflow: Bool

    /// Returns the complete events in some bytes.
    static func all(in bytes: [UInt8]) -> [InotifyEvent] {
        var events: [InotifyEvent] = []
        var offset = 0
        while let mark = bytes.integer(UInt32.self, at: offset), let kinds = bytes.integer(UInt32.self, at: offset + 4),
            let nameLength = bytes.integer(UInt32.self, at: offset + 12)
        {
            events.append(
                InotifyEvent(mark: Int32(bitPattern: mark), isOverflow: kinds & UInt32(IN_Q_OVERFLOW) != 0))
            offset += headSize + Int(nameLength)
        }
        return events
    }
}

#endif
