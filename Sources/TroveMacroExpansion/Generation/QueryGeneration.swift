// `query`, `select`, `delete` and `get`: overloads for each prefix of the key, with a value or an operator as its last
// component.

/// Generates the queries of a record.
struct QueryGeneration {
    private let key: [PropertyDescription]
    private let access: String
    private let source: String
    private let destination: String
    private let options: [Option]

    static func members(of record: RecordDescription) -> [String] {
        let generation = QueryGeneration(record)
        let overloads = record.key.indices.flatMap { last in
            [false, true].map { Overload(key: record.key[...last], usesOperator: $0) }
        }
        return overloads.map(generation.query)
            + Form.allCases.flatMap { form in
                overloads.map { generation.select($0, form) } + overloads.map { generation.delete($0, form) }
                    + [generation.get(form)]
            }
    }

    private init(_ record: RecordDescription) {
        key = record.key
        access = record.context.access.memberPrefix
        let names = record.key.map(\.name)
        source = SourceText.name("source", avoiding: names)
        destination = SourceText.name("destination", avoiding: names)
        options = Option.all.filter { !names.contains($0.label) }
    }

    // MARK: The members

    private func query(_ overload: Overload) -> String {
        SourceText.block(
            "\(access)static func query(\(overload.parameters)) -> Trove.Query<Self>",
            ["Trove.Query(\(overload.queryArguments))"])
    }

    private func select(_ overload: Overload, _ form: Form) -> String {
        let page = Option.all.map { "\($0.label): \(options.contains($0) ? $0.label : "nil")" }
        return function(
            "select", form: form,
            parameters: [(["in \(source): \(form.source)"] + options.map(\.parameter)).joined(separator: ", ")],
            overload: overload, returning: "[Self]",
            body: [
                "\(form.call) Self.query(\(overload.arguments))",
                "    .page(\(page.joined(separator: ", ")))",
                "    .resolve(in: \(source))",
            ])
    }

    private func delete(_ overload: Overload, _ form: Form) -> String {
        "@discardableResult\n"
            + function(
                "delete", form: form, parameters: ["in \(destination): \(form.destination)"], overload: overload,
                returning: "Int",
                body: ["\(form.call) Self.query(\(overload.arguments)).delete(in: \(destination))"])
    }

    /// The function for the record with a whole key.
    private func get(_ form: Form) -> String {
        let writer = SourceText.name("writer", avoiding: key.map(\.name))
        return function(
            "get", form: form, parameters: ["in \(source): \(form.source)"],
            overload: Overload(key: key[...], usesOperator: false), returning: "Self?",
            body: [
                "\(form.call) \(source).get(Self.self) { \(writer) in",
                SourceText.indented(key.map { KeyGeneration.encoding($0, $0.code, into: writer) }),
                "}",
            ])
    }

    private func function(
        _ name: String, form: Form, parameters: [String], overload: Overload, returning result: String,
        body: [String]
    ) -> String {
        let lines = (parameters + [overload.parameters]).joined(separator: ",\n")
        return form.attribute
            + SourceText.block(
                "\(access)static func \(name)(\n\(SourceText.indented([lines]))\n) \(form.effects) -> \(result)", body)
    }

    // MARK: Their parts

    /// The form of a function that runs a query.
    private enum Form: CaseIterable {
        /// For a context, or a store outside of async code.
        case synchronous
        /// For a store, in async code.
        case asynchronous

        private var isAsync: Bool { self == .asynchronous }

        var source: String { isAsync ? "Trove.Store" : "some Trove.RecordReadable" }
        var destination: String { isAsync ? "Trove.Store" : "some Trove.RecordWritable" }
        var attribute: String { isAsync ? "" : "@available(*, noasync, message: \"await the call\")\n" }
        var effects: String { isAsync ? "async throws" : "throws" }
        var call: String { isAsync ? "try await" : "try" }
    }

    /// An option of `select`. If a key component has the same name, the option is available only through the query's
    /// `page`.
    private struct Option: Equatable {
        var label: String
        var type: String

        var parameter: String { "\(label): \(type)? = nil" }

        static let all = [
            Option(label: "limit", type: "Int"), Option(label: "order", type: "Trove.KeyOrder"),
            Option(label: "after", type: "IndexKey"),
        ]
    }

    /// A prefix of the key.
    private struct Overload {
        var key: ArraySlice<PropertyDescription>
        var usesOperator: Bool

        var parameters: String {
            key.enumerated().map { index, property in
                let isOperator = usesOperator && index == key.count - 1
                return "\(property.label): \(isOperator ? "Trove.ComparisonOperator<\(property.type)>" : property.type)"
            }.joined(separator: ", ")
        }

        var arguments: String { key.map { "\($0.label): \($0.code)" }.joined(separator: ", ") }

        var queryArguments: String {
            let codes = key.map(\.code)
            let last = usesOperator ? codes[codes.count - 1] : ".equals(\(codes[codes.count - 1]))"
            return (codes.dropLast() + ["last: \(last)"]).joined(separator: ", ")
        }
    }
}
