// The lines of a dump. A dump is text, one JSON value a line:
//
//     dump    = ["trove",3] section* ["end",n]        3: the version of this form; n: the number of records
//             | ["trove",2] section*                  as earlier versions of Trove wrote it: without an end
//             | ["trove",1] section*                  without links
//     section = ["type",description] (["version",n] | record)*
//     description = {"name":text,"keyPrefix":n,"key":layout,
//                    "layouts":[{"version":n,"layout":layout},…],"oldest":n}
//                 | the same with "links":relation    relation: the members of `StoredLinks`
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

/// A line of a dump.
enum DumpLine {
    case format(Int)
    case type(DumpedType)
    case version(UInt32)
    case record(String)
    /// The end of a dump, with the number of its records.
    case end(Int)

    /// The latest version of the form of dumps.
    static let format = 3
    /// The first version with an end.
    static let formatWithEnd = 3

    /// Parses a line; nil for an empty line.
    ///
    /// - Throws: ``LoadError``.
    init?(_ line: String, number: Int) throws(LoadError) {
        // The bytes of a file may begin with a byte order mark.
        let line = number == 1 ? line.withoutByteOrderMark : line
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
        case .end(let count): "[\"end\",\(count)]"
        case .version(let number): "[\"version\",\(number)]"
        case .record(let json): json
        case .type(let type):
            "[\"type\",{\"name\":\(Self.quoted(type.name)),\"keyPrefix\":\(type.keyPrefix),\"key\":"
                + "\(Self.quoted(type.keyLayout)),\"layouts\":["
                + type.layouts.map { "{\"version\":\($0.version),\"layout\":\(Self.quoted($0.layout))}" }
                .joined(separator: ",") + "],\"oldest\":\(type.oldestVersion)\(Self.member(type.links))}]"
        }
    }

    private static func member(_ links: StoredLinks?) -> String {
        guard let links else { return "" }
        func end(_ end: StoredLinks.End) -> String {
            let type = end.type.map { "\"type\":\(quoted($0))," } ?? ""
            let property = end.property.map { "\"property\":\(quoted($0))," } ?? ""
            let formerNames = end.formerNames.map(quoted).joined(separator: ",")
            return "{\"keyPrefix\":\(end.keyPrefix),\(type)\(property)\"isToOne\":\(end.isToOne),"
                + "\"formerNames\":[\(formerNames)]}"
        }
        return ",\"links\":{\"form\":\(quoted(links.form)),\"first\":\(end(links.first)),"
            + "\"second\":\(end(links.second))}"
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
            case "end": line = .end(try list.decode(Int.self))
            default:
                throw DecodingError.dataCorruptedError(in: list, debugDescription: "an unknown kind of line")
            }
        }
    }
}
