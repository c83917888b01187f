// The lines of a dump that describe its types. A dump is text, one JSON value a line:
//
//     dump    = ["trove",1] section*                  1: the version of this form
//     section = ["type",description] (["version",n] | record)*
//     description = {"name":text,"keyPrefix":n,"key":layout,
//                    "layouts":[{"version":n,"layout":layout},…],"oldest":n}
//     record  = an object (TroveCoding/Layouts/JSONText.swift)
//
// The layouts are in the order of their introduction. A record has the newest layout, or the layout of the last
// `version` before it. No record has a layout before `oldest`.

import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A record type in a dump: all that a store must know to hold its records.
public struct DumpedType: Hashable, Sendable {
    /// A layout of the type's records.
    public struct Layout: Hashable, Sendable, Codable {
        /// The version of the records with this layout.
        public var version: UInt32
        /// The text of the layout.
        public var layout: String
    }

    /// The type's name with its module.
    public let name: String
    /// The identity of the type in a store.
    public let keyPrefix: UInt32
    /// The names and types of the key components.
    public let keyLayout: String
    /// All layouts so far, the newest last.
    public let layouts: [Layout]
    /// The version of the oldest possible records.
    public let oldestVersion: UInt32

    /// Creates the description of a stored type.
    public init(_ type: StoredType) {
        name = type.name
        keyPrefix = type.keyPrefix
        keyLayout = type.keyLayout
        layouts = type.versions.compactMap { version in
            type.layouts[version].map { Layout(version: version, layout: $0) }
        }
        oldestVersion = type.possibleVersions.first ?? type.versions.last ?? 0
    }

    init(_ type: LockedType) {
        name = type.name
        keyPrefix = type.keyPrefix
        keyLayout = type.keyLayout
        layouts = [Layout(version: type.fieldsVersion, layout: type.layout)]
        oldestVersion = type.fieldsVersion
    }

    /// Reads the types of a schema file: the lines of a dump, or the JSON of a ``SchemaLock``.
    ///
    /// - Parameters:
    ///   - text: The text of the file.
    ///   - path: The path of the file, for errors.
    /// - Throws: ``LoadError`` or ``SchemaLockError`` if the text is neither.
    public static func types(inSchema text: String, path: String) throws -> [DumpedType] {
        if text.drop(while: \.isWhitespace).first == "{" {
            return try LockFile.types(in: Data(text.utf8), path: path).map(DumpedType.init)
        }
        var types: [DumpedType] = []
        // A line feed after a carriage return is no `Character` of its own.
        for (index, line) in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let line = try DumpLine(String(Substring(line)), number: index + 1)
            if case .type(let type)? = line { types.append(type) }
        }
        return types
    }
}

extension DumpedType: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, keyPrefix, layouts
        case keyLayout = "key"
        case oldestVersion = "oldest"
    }
}

/// A line of a dump.
enum DumpLine {
    case format(Int)
    case type(DumpedType)
    case version(UInt32)
    case record(String)

    /// The version of the form of dumps.
    static let format = 1

    /// Parses a line; nil for an empty line.
    ///
    /// - Throws: ``LoadError``.
    init?(_ line: String, number: Int) throws(LoadError) {
        switch line.first(where: { !$0.isWhitespace }) {
        case nil: return nil
        case "[":
            do {
                self = try JSONDecoder().decode(Header.self, from: Data(line.utf8)).line
            } catch {
                throw LoadError(line: number, .malformedHeader)
            }
        default: self = .record(line)
        }
    }

    /// The text of the line.
    var text: String {
        switch self {
        case .format(let number): "[\"trove\",\(number)]"
        case .version(let number): "[\"version\",\(number)]"
        case .record(let json): json
        case .type(let type):
            "[\"type\",{\"name\":\(Self.quoted(type.name)),\"keyPrefix\":\(type.keyPrefix),\"key\":"
                + "\(Self.quoted(type.keyLayout)),\"layouts\":["
                + type.layouts.map { "{\"version\":\($0.version),\"layout\":\(Self.quoted($0.layout))}" }
                .joined(separator: ",") + "],\"oldest\":\(type.oldestVersion)}]"
        }
    }

    private static func quoted(_ text: String) -> String { FieldValue.string(text).json }

    private struct Header: Decodable {
        let line: DumpLine

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            switch try list.decode(String.self) {
            case "trove": line = .format(try list.decode(Int.self))
            case "type": line = .type(try list.decode(DumpedType.self))
            case "version": line = .version(try list.decode(UInt32.self))
            default:
                throw DecodingError.dataCorruptedError(in: list, debugDescription: "an unknown kind of line")
            }
        }
    }
}
