// A file of SQLite that a statement reads in addition to the store.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A file of SQLite that a statement reads in addition to the store.
///
/// ```swift
/// let old = try store.sql("SELECT id, name FROM old.users", attaching: ["old": .file("old.sqlite")])
/// ```
///
/// The file is open for the length of the call, and only for reading. Its tables have the name of the attachment and a
/// dot before their own: `old.users`. A table without that prefix is a type of the store, even if the file has a table
/// of the same name.
public struct SQLAttachment: Hashable, Sendable {
    /// The path of the file.
    public let path: String

    /// Returns the attachment of a file.
    ///
    /// - Parameter path: The path of a database of SQLite, which exists.
    public static func file(_ path: String) -> SQLAttachment { SQLAttachment(path: path) }

    /// The address of the file for SQLite.
    ///
    /// - Parameter isImmutable: Whether no program writes the file, and its directory cannot be written.
    func address(isImmutable: Bool) -> String {
        let whole = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        let digits = Array("0123456789ABCDEF".utf8)
        let encoded = whole.utf8.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                [byte]
            default: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        let query = isImmutable ? "?mode=ro&immutable=1" : "?mode=ro"
        return "file://" + String(decoding: encoded, as: UTF8.self) + query
    }
}
