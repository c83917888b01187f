// The rules for saves of a record that was changed elsewhere.

/// The rule of a save whose stored record is not the record that the edits began with.
///
/// An edited property began with its stored value when it was first edited; all others began with their stored values
/// when the first property was edited. That holds until a save or ``Live/revert()``, whatever the object follows
/// meanwhile.
public enum EditConflictRule<Record: IndexKeyRecord>: Sendable {
    /// Stores the properties edited here, and keeps all other properties as they are stored. The default.
    ///
    /// A record deleted elsewhere throws ``StoreError/LiveError/recordGone(type:key:)``.
    case merge
    /// Stores the record that the edits began with, and the edits: newer changes by others are undone, also where the
    /// object shows them. A record deleted elsewhere is stored again.
    case mine
    /// Keeps the stored record, and gives the edits up.
    case theirs
    /// Throws ``StoreError/LiveError/changedElsewhere(type:key:properties:)``, or
    /// ``StoreError/LiveError/recordGone(type:key:)``.
    case `throw`
    /// Stores the record that a closure returns. Nil deletes the record.
    ///
    /// `base` is the record that the edits began with, `mine` that record with the edits, and `theirs` the stored
    /// record; nil if it was deleted. For a draft, `base` is the draft itself.
    case custom(@Sendable (_ base: Record, _ mine: Record, _ theirs: Record?) throws -> Record?)
}
