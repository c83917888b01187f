// A record type in a dump. `DumpLine.swift` has the form of a dump.

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
    /// The relation whose links are the records of the type; nil for a type with records of its own.
    public let links: StoredLinks?

    /// Creates the description of a stored type.
    public init(_ type: StoredType) {
        name = type.name
        keyPrefix = type.keyPrefix
        keyLayout = type.keyLayout
        layouts = type.versions.compactMap { version in
            type.layouts[version].map { Layout(version: version, layout: $0) }
        }
        oldestVersion = type.possibleVersions.first ?? type.versions.last ?? 0
        links = type.links
    }

    /// Creates the description of a declared type, for a store that does not have the type yet.
    ///
    /// ```swift
    /// try Store.create(at: path, loading: .csv, type: "Product", schema: [DumpedType(Product.self)]) { rows.next() }
    /// ```
    public init(_ type: any IndexKeyRecord.Type) { self.init(LockedType(type.schema)) }

    init(_ type: LockedType) {
        name = type.name
        keyPrefix = type.keyPrefix
        keyLayout = type.keyLayout
        layouts = [Layout(version: type.fieldsVersion, layout: type.layout)]
        oldestVersion = type.fieldsVersion
        links = nil
    }

    /// Reads the types of a schema file: the lines of a dump, or the JSON of a ``SchemaLock``.
    ///
    /// - Parameters:
    ///   - text: The text of the file.
    ///   - path: The path of the file, for errors.
    /// - Throws: ``LoadError`` or ``SchemaLockError`` if the text is neither.
    public static func types(inSchema text: String, path: String) throws -> [DumpedType] {
        let text = text.withoutByteOrderMark
        if text.drop(while: \.isWhitespace).first == "{" {
            return try LockFile.types(in: Data(text.utf8), path: path).map(DumpedType.init)
        }
        var types: [DumpedType] = []
        var count = DumpCount()
        var last = 0
        // A line feed after a carriage return is no `Character` of its own.
        for (index, line) in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            guard let line = try DumpLine(String(Substring(line)), number: index + 1) else { continue }
            last = index + 1
            try count.add(line, number: last)
            if case .type(let type) = line { types.append(type) }
        }
        try count.finish(line: last)
        return types
    }
}

extension DumpedType {
    /// Throws for a description that no catalog may have: each layout follows the grammar, no version has two layouts,
    /// and the layouts of possible records have the type's key.
    func checkLayouts(line: Int) throws(LoadError) {
        let key = try parsed(keyLayout + "{}", line).key.map(\.type)
        var versions: Set<UInt32> = []
        var isPossible = false
        for layout in layouts {
            guard versions.insert(layout.version).inserted else {
                throw LoadError(line: line, type: name, .unknownVersion(layout.version))
            }
            let fields = try parsed(layout.layout, line)
            isPossible = isPossible || layout.version == oldestVersion
            guard !isPossible || fields.key.map(\.type) == key else {
                throw LoadError(line: line, type: name, .otherLayouts(stored: keyLayout, dumped: layout.layout))
            }
        }
    }

    /// Throws for a further description of a type in a text that differs from the known one: in the name, or in the
    /// layout of a version that both have.
    func check(against known: CatalogType, line: Int) throws(LoadError) {
        guard known.qualifiedName == name else {
            throw LoadError(line: line, type: name, .otherLayouts(stored: known.qualifiedName, dumped: name))
        }
        try checkLayouts(line: line)
        for layout in layouts {
            guard let text = known.layouts[layout.version]?.text, text != layout.layout else { continue }
            throw LoadError(line: line, type: name, .otherLayouts(stored: text, dumped: layout.layout))
        }
    }

    private func parsed(_ layout: String, _ line: Int) throws(LoadError) -> RecordLayout {
        do throws(CodingError) {
            return try RecordLayout(layout)
        } catch {
            throw LoadError(line: line, type: name, .unreadableLayout(layout))
        }
    }
}

extension DumpedType: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, keyPrefix, layouts, links
        case keyLayout = "key"
        case oldestVersion = "oldest"
    }
}
