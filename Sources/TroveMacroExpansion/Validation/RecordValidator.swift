// The validator of a declaration with `@IndexKeyRecord` or `@EntityModel`: it returns a description, or reports why the
// declaration cannot be a record.

import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// Parses and checks a record type.
struct RecordValidator {
    let attribute: AttributeSyntax
    let declaration: StructDeclSyntax
    let context: TypeContext
    private let kind: RecordKind
    private let locations: SourceLocations?
    private let members: MemberList
    private(set) var diagnostics = DiagnosticList()

    /// Creates a validator of a declaration.
    ///
    /// - Parameter locations: The lines of the declaration; nil if they are not needed.
    init(
        attribute: AttributeSyntax, declaration: StructDeclSyntax, context: TypeContext,
        locations: SourceLocations? = nil
    ) {
        self.attribute = attribute
        self.declaration = declaration
        self.context = context
        self.locations = locations
        kind = RecordKind(attribute)
        members = MemberList(declaration.memberBlock)
    }

    /// Returns the validated record; nil if the diagnostics prevent the expansion.
    mutating func validate(conformances protocols: [TypeSyntax]) -> RecordDescription? {
        checkDeclaration()
        let arguments = RecordArguments(attribute, diagnostics: &diagnostics)
        let argumentNames = kind == .entity ? ["id"] : arguments.keys.map(\.name)
        var stored = PropertyValidator(members: members, keyNames: Set(argumentNames)).properties(&diagnostics)
        for (property, _) in stored where ["indexKey", "fieldsSize"].contains(property.name.plainName) {
            diagnostics.add(.reservedName(property.name.plainName, macro: kind.macro), at: property.name)
        }
        let keyNames: [String]
        switch kind {
        case .record:
            rejectRelationships(arguments)
            keyNames = self.keyNames(arguments, stored: stored)
        case .entity:
            if let id = computedID { stored.insert(id, at: 0) }
            keyNames = idName(stored: stored)
        }

        var describer = PropertyDescriber(stored.map(\.property), of: members, in: context, locations)
        let properties = stored.map { property, type in
            let isKey = keyNames.contains(property.name.plainName)
            return describer.description(of: property, type, keyAccess: isKey ? context.access : nil, &diagnostics)
        }
        let key = keyNames.compactMap { name in properties.first { $0.name == name } }
        let indexes = IndexValidator(context: context, members: members, properties: properties, key: key)
            .indexes(&diagnostics)
        let fields = properties.filter { !keyNames.contains($0.name) }
        let entity =
            kind == .entity
            ? EntityValidator(declaration: declaration, context: context, members: members, locations: locations)
                .entity(fields: fields, options: arguments.entityOptions, &diagnostics) : nil
        guard !diagnostics.preventsExpansion else { return nil }
        checkValidated(arguments, properties: properties, key: key)
        return RecordDescription(
            context: context, key: key, fields: fields,
            indexes: indexes, outsideTypes: describer.outside.aliases,
            outsideDefaults: describer.outside.defaults,
            keyPrefix: arguments.keyPrefix,
            fieldsVersion: arguments.fieldsVersion, identity: identity(key: key, protocols: protocols),
            conformances: kind.protocols.filter { name in protocols.contains { $0.isNamed(name) } }, entity: entity)
    }

    private mutating func checkDeclaration() {
        if let generics = declaration.genericParameterClause {
            diagnostics.add(.genericRecord(context.name), at: generics)
        } else if let outer = context.genericEnclosing {
            diagnostics.add(.genericEnclosing(context.name, outer), at: declaration.name)
        }
        if let access = declaration.modifiers.privateModifier, !context.enclosing.isEmpty {
            diagnostics.add(
                .privateNested(context.name), at: access, fixIts: [.change(access.name, to: .fileprivate)])
        }
    }

    // MARK: The key

    private mutating func keyNames(
        _ arguments: RecordArguments, stored: [(property: StoredProperty, type: TypeSyntax)]
    ) -> [String] {
        if !arguments.hasKeyArguments {
            diagnostics.add(.noKeys, at: attribute, fixIts: stored.first.map { [insertKey($0.property)] } ?? [])
        }
        var names: [String] = []
        for key in arguments.keys {
            if names.contains(key.name) {
                diagnostics.add(.duplicateKey(key.name), at: key.literal, fixIts: removeArgument(key.literal))
            } else if let (property, type) = stored.first(where: { $0.property.name.plainName == key.name }) {
                names.append(key.name)
                if type.isUnordered {
                    let spelling = type.trimmedDescription
                    diagnostics.add(.unorderedKey(property.name.plainName, type: spelling), at: key.literal)
                }
            } else {
                rejectKey(key, stored: stored.map(\.property.name.plainName))
            }
        }
        return names
    }

    /// The computed `id` of an entity, with its type; nil if it is stored or missing.
    private var computedID: (property: StoredProperty, type: TypeSyntax)? {
        guard let id = members.computed["id"], let type = id.type else { return nil }
        return (id, type)
    }

    /// Returns the name of an entity's key.
    private mutating func idName(stored: [(property: StoredProperty, type: TypeSyntax)]) -> [String] {
        if let (property, type) = stored.first(where: { $0.property.name.plainName == "id" }) {
            if type.isUnordered {
                diagnostics.add(.unorderedKey("id", type: type.trimmedDescription), at: property.name)
            }
            return ["id"]
        }
        // A stored `id` with an error has its own diagnostic.
        guard let property = members.stored.first(where: { $0.name.plainName == "id" }) else {
            diagnostics.add(.noID(context.name), at: declaration.name)
            return []
        }
        if PropertyValidator(members: members).isLeftOut(property) {
            diagnostics.add(
                .constantKey("id"), at: property.name,
                fixIts: [.change(property.declaration.bindingSpecifier, to: .var)])
        }
        return []
    }

    /// Reports relations of a record that is not an entity.
    private mutating func rejectRelationships(_ arguments: RecordArguments) {
        for relation in members.relationships {
            diagnostics.add(
                .relationshipOutside, at: relation.attribute,
                fixIts: arguments.keys.map(\.name) == ["id"] ? [makeEntity()] : [])
        }
    }

    /// Returns a fix-it to replace `@IndexKeyRecord("id")` by `@EntityModel`, with the other arguments.
    private func makeEntity() -> FixIt {
        var new = attribute.trimmed.with(\.attributeName, "EntityModel")
        if case .argumentList(let arguments) = attribute.arguments {
            var kept = arguments.filter { $0.label != nil }
            if let last = kept.indices.last { kept[last].trailingComma = nil }
            new = new.with(\.arguments, kept.isEmpty ? nil : .argumentList(kept))
            if kept.isEmpty { new = new.with(\.leftParen, nil).with(\.rightParen, nil) }
        }
        return .replace(attribute, with: new, .change(attribute.trimmedDescription, to: new.description))
    }

    private mutating func rejectKey(_ key: RecordArguments.Key, stored: [String]) {
        if let property = members.stored.first(where: { $0.name.plainName == key.name }) {
            // Any other problem of the property has its own diagnostic.
            guard PropertyValidator(members: members).isLeftOut(property) else { return }
            diagnostics.add(
                .constantKey(key.name), at: key.literal,
                fixIts: [.change(property.declaration.bindingSpecifier, to: .var)])
        } else if members.computedNames.contains(key.name) {
            diagnostics.add(.computedKey(key.name), at: key.literal)
        } else if members.staticNames.contains(key.name) {
            diagnostics.add(.staticKey(key.name), at: key.literal)
        } else {
            let nearest = NearestName.of(key.name, among: stored)
            diagnostics.add(
                .unknownProperty(key.name, in: context.name), at: key.literal,
                fixIts: nearest.map { name in
                    [.replace(key.literal, with: StringLiteralExprSyntax(content: name), .change(key.name, to: name))]
                } ?? [])
        }
    }

    private func removeArgument(_ literal: StringLiteralExprSyntax) -> [FixIt] {
        guard case .argumentList(let arguments) = attribute.arguments else { return [] }
        var kept = arguments.filter { $0.expression.id != literal.id }
        if let last = kept.indices.last { kept[last].trailingComma = nil }
        return [.replace(arguments, with: kept, .remove(literal.trimmedDescription))]
    }

    private func insertKey(_ property: StoredProperty) -> FixIt {
        let name = property.name.plainName
        let key = LabeledExprSyntax(expression: StringLiteralExprSyntax(content: name))
        var arguments: [LabeledExprSyntax] = []
        if case .argumentList(let present) = attribute.arguments {
            arguments = present.map { $0.with(\.trailingComma, .commaToken(trailingTrivia: .space)) }
        }
        let new =
            attribute
            .with(\.leftParen, .leftParenToken())
            .with(\.arguments, .argumentList(LabeledExprListSyntax(arguments + [key])))
            .with(\.rightParen, .rightParenToken())
            .with(\.attributeName, attribute.attributeName.trimmed)
        return .replace(attribute, with: new, .insert("\"\(name)\""))
    }

    // MARK: The rest

    private mutating func checkValidated(
        _ arguments: RecordArguments, properties: [PropertyDescription], key: [PropertyDescription]
    ) {
        guard let validated = arguments.validated else { return }
        let hash = DeclarationHash.value(properties: properties, key: key)
        guard validated.value != hash else { return }
        let old = validated.expression
        let new: ExprSyntax = "\(raw: hash)"
        diagnostics.add(
            .layoutChanged(context.name, hash: hash), at: old,
            fixIts: [.replace(old, with: new, .change(old.trimmedDescription, to: "\(hash)"))],
            preventsExpansion: false)
    }

    /// Returns how the type conforms to `Identifiable`: `id` is the key, unless the type declares another `id`.
    private func identity(key: [PropertyDescription], protocols: [TypeSyntax]) -> RecordDescription.Identity {
        guard protocols.contains(where: { $0.isNamed("Identifiable") }) else { return .none }
        let hasID = members.computedNames.contains("id") || members.stored.contains { $0.name.plainName == "id" }
        guard hasID else { return .generated }
        return key.count == 1 && key[0].name == "id" && key[0].access >= context.access ? .property : .none
    }
}

extension TypeSyntax {
    /// Returns whether this is the protocol with this name, with or without its module.
    func isNamed(_ name: String) -> Bool {
        trimmedDescription.split(separator: ".").last.map(String.init) == name
    }
}

extension DeclModifierListSyntax {
    /// `private`, but not `private(set)`.
    var privateModifier: DeclModifierSyntax? {
        first { $0.name.tokenKind == .keyword(.private) && $0.detail == nil }
    }
}
