// The lines of a file or of standard input, in constant memory.

import Foundation

/// A reader of lines. A line is UTF-8; its line feed is left out.
final class LineReader {
    private struct NotUTF8: Error, CustomStringConvertible {
        var line: Int
        var description: String { "line \(line) is not UTF-8." }
    }

    private let path: String
    private let handle: FileHandle
    private var bytes: [UInt8] = []
    private var position = 0
    private var number = 0

    private static let chunkSize = 1 << 16

    /// - Parameter path: The path of a file; `-` for standard input.
    /// - Throws: ``FileError`` if the file cannot be opened, or is a directory.
    init(path: String) throws(FileError) {
        self.path = path
        guard path != "-" else {
            handle = .standardInput
            return
        }
        try FileError.check(path, orInput: true)
        do {
            handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        } catch {
            throw FileError(path: path, error)
        }
    }

    /// Returns the next line; nil at the end.
    func next() throws -> String? {
        var searched = position
        while true {
            if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { position = end + 1 }
                return try text(bytes[position..<end])
            }
            searched = bytes.count - position
            bytes.removeFirst(position)
            position = 0
            guard let chunk = try readChunk() else { break }
            bytes += chunk
        }
        guard !bytes.isEmpty else { return nil }
        defer { bytes = [] }
        return try text(bytes[...])
    }

    /// Returns the next bytes; nil at the end.
    private func readChunk() throws(FileError) -> Data? {
        do {
            let chunk = try handle.read(upToCount: Self.chunkSize)
            return chunk?.isEmpty == false ? chunk : nil
        } catch {
            throw FileError(path: path, error)
        }
    }

    private func text(_ bytes: ArraySlice<UInt8>) throws -> String {
        number += 1
        guard let text = String(validating: bytes, as: UTF8.self) else { throw NotUTF8(line: number) }
        return text
    }
}
