// The operations of a program on its files, in order, as logged by the shim:
//
//     entry = kind 4 · flags 4 · offset 8 · size of name 8 · size of data 8 · name · data       little-endian

import Foundation

/// An operation of a program.
enum DiskEvent: Sendable {
    /// A line of output.
    case line(String)
    /// A write to a file; `isDurable` for a descriptor opened with `O_DSYNC`.
    case write(path: String, offset: Int, bytes: [UInt8], isDurable: Bool)
    /// A flush of a file or directory.
    case sync(path: String)
    case truncate(path: String, size: Int)
    case link(path: String, to: String)
    case unlink(path: String)
    case rename(path: String, to: String)
}

extension DiskEvent {
    /// The file of the operation; nil for a line of output.
    var path: String? {
        switch self {
        case .line: nil
        case .write(let path, _, _, _), .sync(let path), .truncate(let path, _), .link(let path, _),
            .unlink(let path), .rename(let path, _):
            path
        }
    }

    private struct UnknownKind: Error {
        var kind: UInt32
    }

    /// Reads a log.
    static func read(_ path: String) throws -> [DiskEvent] {
        let log = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        func integer<Integer: FixedWidthInteger>(_ type: Integer.Type, at offset: Int) -> Integer {
            (0..<MemoryLayout<Integer>.size).reduce(0) {
                $0 | Integer(truncatingIfNeeded: log[offset + $1]) << ($1 * 8)
            }
        }
        var events: [DiskEvent] = []
        var position = 0
        while position < log.count {
            let kind = integer(UInt32.self, at: position)
            let flags = integer(UInt32.self, at: position + 4)
            let offset = Int(integer(UInt64.self, at: position + 8))
            let nameEnd = position + 32 + Int(integer(UInt64.self, at: position + 16))
            let end = nameEnd + Int(integer(UInt64.self, at: position + 24))
            let name = String(decoding: log[(position + 32)..<nameEnd], as: UTF8.self)
            let data = log[nameEnd..<end]
            let text = String(decoding: data, as: UTF8.self)
            position = end
            switch kind {
            case 0: events += text.split(separator: "\n").map { .line(String($0)) }
            case 1: events.append(.write(path: name, offset: offset, bytes: Array(data), isDurable: flags & 1 != 0))
            case 2: events.append(.sync(path: name))
            case 3: events.append(.truncate(path: name, size: offset))
            case 4: events.append(.link(path: name, to: text))
            case 5: events.append(.unlink(path: name))
            case 6: events.append(.rename(path: name, to: text))
            default: throw UnknownKind(kind: kind)
            }
        }
        return events
    }
}
