// A schema as text.

import TroveCoding

extension RecordSchema: CustomStringConvertible {
    /// The declaration of the type, with its properties in their stored order, by their stored names and types:
    ///
    ///     @IndexKeyRecord("lastName", "firstName")
    ///     struct Person {
    ///         // index(age)
    ///
    ///         lastName: String
    ///         firstName: String
    ///         age: Int64
    ///     }
    public var description: String {
        let indexes = indexes.map { "    // \($0.text)" }
        let properties = key.map(\.described.text) + fields.map(\.described.text)
        return
            ([attribute, "struct \(name) {"] + indexes + (indexes.isEmpty ? [] : [""])
            + properties.map { "    " + Self.spaced($0) } + ["}"]).joined(separator: "\n")
    }

    /// The macro with the arguments that are set by hand.
    private var attribute: String {
        var arguments = key.map { "\"\($0.name)\"" }
        if fieldsVersion != SDBM.hash32(layout) { arguments.insert("fieldsVersion: \(fieldsVersion)", at: 0) }
        if !hasAutomaticPrefix { arguments.insert("keyPrefix: \(keyPrefix)", at: 0) }
        return "@IndexKeyRecord(\(arguments.joined(separator: ", ")))"
    }

    /// Returns `name:type` with a space after the name, which may be quoted and contain colons.
    private static func spaced(_ described: String) -> String {
        do throws(CodingError) {
            guard let field = try RecordLayout("(" + described + "){}").key.first else { return described }
            return "\(field.name): \(field.type)"
        } catch {
            return described
        }
    }
}
