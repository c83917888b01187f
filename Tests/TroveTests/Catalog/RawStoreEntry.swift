// The bytes of a store's own entry, read and written without Trove.

import LMDB
import Testing

@testable import Trove

/// The content of the store's own entry in a file: the bytes after the checksum.
enum RawStoreEntry {
    static func read(_ path: String) throws -> [UInt8] {
        let environment = try Environment(path: path, options: EnvironmentOptions(durability: .noSync))
        let catalog = try environment.openDatabase("trove")
        return Array(try #require(environment.read { try $0.get([0], from: catalog) }).dropFirst(4))
    }

    /// Writes an entry with a correct checksum.
    static func write(_ content: [UInt8], to path: String) throws { try put(content, for: [0], to: path) }

    /// Writes any entry of the catalog with a correct checksum.
    static func put(_ content: [UInt8], for key: [UInt8], to path: String) throws {
        var checksum = CRC32C()
        (Array("trove".utf8) + key + content).withRawSpan { checksum.update($0) }
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: checksum.value >> (8 * $0)) }
        let environment = try Environment(path: path, options: EnvironmentOptions(durability: .noSync))
        let catalog = try environment.openDatabase("trove")
        try environment.write { try $0.put(bytes + content, for: key, in: catalog) }
    }
}
