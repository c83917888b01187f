// The JSON of a schema lock:
//
//     {
//       "format": 1,
//       "types": [
//         {
//           "name": "App.Person",
//           "keyPrefix": 1,
//           "fieldsVersion": 2,
//           "key": [
//             {"id": "UUID"}
//           ],
//           "fields": [
//             {"fullName": "String"},
//             {"nickname": "String?"}
//           ],
//           "relations": [
//             {"teams": "to many App.Team, inverse members"}
//           ]
//         }
//       ]
//     }
//
// A type without relations has no list of them. Each property has its own line, and no line depends on another line, so
// a diff shows only the change.

import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The JSON of a lock.
struct LockFile: Decodable {
    private static let format = 1

    private let format: Int
    private let types: [LockedType]

    // MARK: Reading

    /// - Parameter path: The path of the file, for errors.
    static func types(in json: Data, path: String) throws(SchemaLockError) -> [LockedType] {
        let file: LockFile
        do {
            file = try JSONDecoder().decode(LockFile.self, from: json)
        } catch {
            throw .damaged(path: path, reason: reason(error))
        }
        guard file.format == Self.format else {
            throw .damaged(path: path, reason: "its format is \(file.format), and only \(Self.format) is supported.")
        }
        var prefixes: Set<UInt32> = []
        for type in file.types where !prefixes.insert(type.keyPrefix).inserted {
            throw .damaged(path: path, reason: "the keyPrefix \(type.keyPrefix) occurs twice.")
        }
        return file.types
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.keyNotFound(_, let context), DecodingError.dataCorrupted(let context):
            context.codingPath.map { $0.stringValue + ": " }.joined() + context.debugDescription
        default: "\(error)"
        }
    }

    // MARK: Writing

    static func text(of types: [LockedType]) -> String {
        """
        {
          "format": \(format),
          "types": \(list(types.map(text), indent: "  "))
        }

        """
    }

    private static func text(of type: LockedType) -> String {
        """
        {
              "name": \(string(type.name)),
              "keyPrefix": \(type.keyPrefix),
              "fieldsVersion": \(type.fieldsVersion),
              "key": \(list(type.key.map(text), indent: "      ")),
              "fields": \(list(type.fields.map(text), indent: "      "))\(relations(of: type))
            }
        """
    }

    private static func relations(of type: LockedType) -> String {
        guard let relations = type.relations else { return "" }
        return ",\n      \(string("relations")): " + list(relations.map(text), indent: "      ")
    }

    private static func text(of property: LockedProperty) -> String {
        "{\(string(property.name)): \(string(property.type))}"
    }

    /// Returns a JSON array with an element per line.
    private static func list(_ elements: [String], indent: String) -> String {
        guard !elements.isEmpty else { return "[]" }
        return "[\n" + elements.map { indent + "  " + $0 }.joined(separator: ",\n") + "\n" + indent + "]"
    }

    private static func string(_ text: String) -> String { FieldValue.string(text).json }
}
