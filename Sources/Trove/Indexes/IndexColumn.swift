// A column of an index: a stored property, and the form of its bytes in index entries.
//
//     column = name ":" type                  the key bytes of the property
//            | name " desc:desc<" type ">"    the key bytes, complemented
//            | name ":equal<" type ">"        the bytes of the field, escaped: they are equal or not, and have no order
//            | name " each:each<" type ">"    the key bytes of an element of the property, an array or a set
//            | name ":text<" type ">"         the texts of the property (TextColumn.swift)
//            | name ":sum<" type ">"          the number of the property, which is added up (SumColumn.swift)
//            | '"' name '" gathered ' version   no bytes: a closure of the program returns the texts of records
//     label  = name                           key bytes, escaped fields, texts, numbers, and gathered text
//            | name " desc"                   complemented key bytes
//            | name " each"                   elements
//
// `type` is the layout of the property (LayoutBuilder.swift). Names are not quoted. Stores contain these texts: they
// never change.

import TroveCoding

/// A column of an index.
@usableFromInline
struct IndexColumn: Hashable, Sendable {
    /// The form of a column's bytes.
    @usableFromInline
    enum Form: Hashable, Sendable, CaseIterable {
        case key, descendingKey, equality, element, text, sum, gathered
    }

    /// The stored name of the property; the name of gathered text.
    let property: String
    let form: Form
    /// The layout of the property; the version of gathered text.
    let type: String

    @usableFromInline
    init(_ property: String, _ form: Form, type: String) {
        self.property = property
        self.form = form
        self.type = type
    }

    /// The column in the definition of an index.
    var text: String {
        switch form {
        case .key: "\(property):\(type)"
        case .descendingKey: "\(property) desc:desc<\(type)>"
        case .equality: "\(property):equal<\(type)>"
        case .element: "\(property) each:each<\(type)>"
        case .text: "\(property):text<\(type)>"
        case .sum: "\(property):sum<\(type)>"
        case .gathered: Self.gatheredText(property) + type
        }
    }

    /// The column in the name of an index.
    var label: String {
        switch form {
        case .key, .equality, .text, .sum, .gathered: property
        case .descendingKey: property + " desc"
        case .element: property + " each"
        }
    }

    /// A layout with the type of the property; nil for a column without elements.
    var elementLayout: String? { form == .element ? "(){each:\(type)}" : nil }

    /// The first byte of nil; nil for a property that is not optional.
    ///
    /// No other value's bytes start with the byte. A type whose layout does not follow the grammar has no such byte in
    /// its key bytes.
    var nilByte: UInt8? {
        switch form {
        case .key: layoutType?.nilByte
        case .descendingKey: layoutType?.nilByte.map { ~$0 }
        case .equality: type.hasSuffix("?") ? EqualityComponent.nilByte : nil
        case .element, .text, .sum, .gathered: nil
        }
    }

    private var layoutType: LayoutType? {
        do throws(CodingError) {
            return try RecordLayout("(){value:\(type)}").fields.first?.type
        } catch {
            return nil
        }
    }
}

extension LayoutType {
    /// The first key byte of nil; nil for a type without nil.
    fileprivate var nilByte: UInt8? {
        switch self {
        case .optional: 0
        case .descending(let base): base.nilByte.map { ~$0 }
        default: nil
        }
    }
}

extension IndexColumn {
    private static let gathered = "\" gathered "

    private static func gatheredText(_ name: String) -> String { "\"" + name + gathered }

    /// Returns whether the definition of an index is for gathered text.
    static func isGathered(_ definition: String, named name: String) -> Bool {
        definition.hasPrefix(gatheredText(name))
    }

    /// Parses the column of gathered text at the beginning of a definition, and removes it; nil if there is none.
    ///
    /// - Parameter end: The text after the column.
    init?(gatheredIn rest: inout Substring, before end: String) {
        guard rest.first == "\"" else { return nil }
        let text = rest.dropFirst()
        for mark in text.ranges(of: Self.gathered) {
            let version = text[mark.upperBound...].prefix { $0 == "-" || $0.isASCII && $0.isNumber }
            guard !version.isEmpty, text[version.endIndex...].hasPrefix(end) else { continue }
            rest = text[version.endIndex...]
            self.init(String(text[..<mark.lowerBound]), .gathered, type: String(version))
            return
        }
        return nil
    }
}
