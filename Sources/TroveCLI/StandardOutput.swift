// Standard output, whose every write is checked: a dump into a full disk must not end as if it were whole.

#if CommandLine
import Foundation
import LMDB

/// The error of writing to standard output.
struct OutputError: Error, CustomStringConvertible {
    /// The system's reason.
    var reason: String

    var description: String {
        "Standard output could not be written: \(reason). What has been printed is incomplete."
    }
}

/// Standard output, written in large pieces.
enum StandardOutput {
    private static let size = 1 << 16
    private static let buffer = Monitor<[UInt8]>([])

    /// Occupies the numbers of closed standard streams: else the store's file would get one, and the output would be
    /// written into the store. Writes to such a stream fail.
    static func reserveStreams() {
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) == -1 {
            _ = unsafe open("/dev/null", O_RDONLY)
        }
    }

    /// Adds a text. It is written when enough is there, or by ``flush()``.
    ///
    /// - Throws: ``OutputError``.
    static func write(_ text: String) throws(OutputError) {
        let isFull = buffer.withLock { buffer in
            buffer += text.utf8
            return buffer.count >= size
        }
        if isFull { try flush() }
    }

    /// Writes what has been added. A terminal shows it.
    ///
    /// - Throws: ``OutputError``.
    static func flush() throws(OutputError) {
        let bytes = buffer.withLock { buffer in
            defer { buffer = [] }
            return buffer
        }
        guard !bytes.isEmpty else { return }
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(bytes))
        } catch {
            throw OutputError(reason: FileError.reason(error))
        }
    }
}
#endif
