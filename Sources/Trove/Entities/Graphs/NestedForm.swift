// The form in which a nested request returns its targets.

/// The value that a nested request puts into a relation.
@usableFromInline
struct NestedForm: Hashable, Sendable {
    @usableFromInline
    enum Content: Hashable, Sendable {
        case ids, entities, fragments
    }

    @usableFromInline var content: Content
    /// Whether the targets of a list are always a slice.
    @usableFromInline var isSlice = false
    /// Whether a list gets all stored entities of the relation's type, linked or not.
    var isOfSchema = false

    static let ids = NestedForm(content: .ids)
    static let entities = NestedForm(content: .entities)
    static let fragments = NestedForm(content: .fragments)

    /// The same form as a slice.
    var slice: NestedForm {
        var form = self
        form.isSlice = true
        return form
    }

    /// The same form, of all stored entities.
    var ofSchema: NestedForm {
        var form = self
        form.isOfSchema = true
        return form
    }

    @inlinable var isFragment: Bool { content == .fragments }
}
