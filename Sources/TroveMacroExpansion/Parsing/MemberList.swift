// The members of a type, sorted by their role in a record.

import SwiftSyntax

/// The members of a struct or an enum.
struct MemberList {
    /// The stored properties without those with `@Relationship`.
    private(set) var stored: [StoredProperty] = []
    private(set) var relationships: [RelationshipSyntax] = []
    private(set) var tuples: [PatternBindingSyntax] = []
    private(set) var cases: [EnumCaseElementSyntax] = []
    private(set) var computed: [String: StoredProperty] = [:]
    private(set) var staticNames: Set<String> = []
    private(set) var types: [TokenSyntax] = []
    private(set) var codingKeys = CodingKeyNames()
    private(set) var indexes: [IndexSyntax] = []
    /// The properties that would declare an index by an attribute. They are not stored.
    private(set) var indexAttributes: [IndexAttributeSyntax] = []
    /// The stored members inside `#if`.
    private(set) var conditional: [DeclSyntax] = []
    private(set) var conditionalIndexes: [IndexSyntax] = []

    var computedNames: Set<String> { Set(computed.keys) }
    var typeNames: Set<String> { Set(types.map(\.plainName)) }

    init(_ block: MemberBlockSyntax) {
        for member in block.members { add(member.decl) }
    }

    /// Creates the list of a single member.
    init(_ member: DeclSyntax) { add(member) }

    private mutating func add(_ member: DeclSyntax) {
        if let variable = member.as(VariableDeclSyntax.self) {
            add(variable)
        } else if let cases = member.as(EnumCaseDeclSyntax.self) {
            self.cases += cases.elements
        } else if let condition = member.as(IfConfigDeclSyntax.self) {
            add(condition)
        } else if let index = IndexSyntax(member) {
            indexes.append(index)
        } else if let type = member.asProtocol((any NamedDeclSyntax).self) {
            types.append(type.name)
            if let keys = CodingKeyNames(member) { codingKeys = keys }
        }
    }

    private mutating func add(_ variable: VariableDeclSyntax) {
        if let attribute = IndexAttributeSyntax(variable) {
            indexAttributes.append(attribute)
            return
        }
        guard !variable.isStatic else {
            staticNames.formUnion(variable.bindings.compactMap { $0.name?.plainName })
            return
        }
        // `let a, b: Int` gives the type to both.
        var type: TypeSyntax?
        var found: [StoredProperty] = []
        for binding in variable.bindings.reversed() {
            type = binding.typeAnnotation?.type ?? (binding.initializer == nil ? type : nil)
            guard let name = binding.name else {
                if binding.isStored, binding.pattern.is(TuplePatternSyntax.self) { tuples.append(binding) }
                continue
            }
            let property = StoredProperty(
                name: name, type: type, initialValue: binding.initializer?.value, binding: binding,
                declaration: variable)
            if binding.isStored { found.append(property) } else { computed[name.plainName] = property }
        }
        let relationships = found.reversed().compactMap { RelationshipSyntax($0) }
        if relationships.isEmpty { stored += found.reversed() } else { self.relationships += relationships }
    }

    private mutating func add(_ condition: IfConfigDeclSyntax) {
        for clause in condition.clauses {
            guard let members = clause.elements?.as(MemberBlockItemListSyntax.self) else { continue }
            for member in members {
                if let variable = member.decl.as(VariableDeclSyntax.self) {
                    if !variable.isStatic, IndexAttributeSyntax(variable) == nil,
                        variable.bindings.contains(where: \.isStored)
                    {
                        conditional.append(member.decl)
                    } else {
                        add(variable)
                    }
                } else if member.decl.is(EnumCaseDeclSyntax.self) {
                    conditional.append(member.decl)
                } else if CodingKeyNames(member.decl) != nil {
                    codingKeys.conditional.append(member.decl)
                } else if let index = IndexSyntax(member.decl) {
                    conditionalIndexes.append(index)
                } else {
                    add(member.decl)
                }
            }
        }
    }
}

extension VariableDeclSyntax {
    fileprivate var isStatic: Bool {
        modifiers.contains { [.keyword(.static), .keyword(.class)].contains($0.name.tokenKind) }
    }
}

extension PatternBindingSyntax {
    fileprivate var name: TokenSyntax? { pattern.as(IdentifierPatternSyntax.self)?.identifier }

    /// Whether the binding is stored: observers are allowed, but any other accessor means that it is computed.
    fileprivate var isStored: Bool {
        switch accessorBlock?.accessors {
        case nil: true
        case .getter: false
        case .accessors(let accessors):
            accessors.allSatisfy {
                [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
            }
        }
    }
}
