// A file in place of standard output, whose every write is checked.

#if CommandLine
import Foundation

/// A file that takes the output of a shell.
final class OutputFile {
    private struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private let path: String
    private let handle: FileHandle
    private var buffer: [UInt8] = []
    private static let size = 1 << 16

    /// Creates a file, or empties it.
    ///
    /// - Parameter used: Files that must not be emptied, since the shell reads them.
    init(path: String, except used: [String]) throws {
        self.path = path
        let identity = Self.identity(path)
        guard identity == nil || !used.contains(where: { Self.identity($0) == identity }) else {
            throw Failure(description: "\(path) is read by this shell, and cannot be its output.")
        }
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            throw Failure(description: "\(path) cannot be written: \(unsafe String(cString: strerror(errno))).")
        }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Adds a text. It is written when enough is there, or by ``flush()``.
    func write(_ text: String) throws {
        buffer += text.utf8
        if buffer.count >= Self.size { try flush() }
    }

    /// Writes what has been added.
    func flush() throws {
        defer { buffer = [] }
        guard !buffer.isEmpty else { return }
        do {
            try handle.write(contentsOf: Data(buffer))
        } catch {
            throw Failure(description: "\(path) cannot be written: \(FileError.reason(error)). It is incomplete.")
        }
    }

    /// Returns what identifies a file; nil if there is none.
    private static func identity(_ path: String) -> [UInt64]? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return [UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino)]
    }
}
#endif
