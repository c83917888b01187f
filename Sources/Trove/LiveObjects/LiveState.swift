// The state of a live object: its value, and the stored record.

import TroveCoding

/// A state of a live object. It never changes, so that threads read it without a lock.
final class LiveVersion<Record: IndexKeyRecord>: Sendable {
    let state: LiveState<Record>

    init(_ state: LiveState<Record>) { self.state = state }

    /// Returns a property of the value, without a copy of the value.
    func property<Value>(_ path: KeyPath<Record, Value>) -> Value { state.content.record[keyPath: path] }
}

/// A record that states of a live object share.
final class RecordBox<Record: IndexKeyRecord>: Sendable {
    let record: Record

    init(_ record: Record) { self.record = record }
}

/// The value of a live object, the stored value that it was edited from, and a save that is not committed yet.
struct LiveState<Record: IndexKeyRecord>: Sendable {
    /// The record that a write transaction has stored and not yet committed.
    struct OpenSave: Sendable {
        /// The encoded value of the object when it was saved.
        var sent: [UInt8]
        /// The record as stored; nil if it was deleted.
        let result: FoundRecord<Record>?
        /// The number of the transaction.
        let transaction: Int
        /// The count of edits of relations at the save.
        var relationEdits: Int
        /// The number of the save, unique for the object.
        var serial = 0
        /// Whether the object is deleted if the transaction is undone.
        var wasDeleted = false
        /// Whether the edits were given up after the save: then they do not return if the transaction is undone.
        var isReverted = false
        /// The record to show if the delete is committed; nil for the value of the object.
        var left: FoundRecord<Record>?
        /// The state that a new record has replaced in the transaction; nil if there was none.
        var replaced: LiveVersion<Record>?
    }

    /// The value. It is kept outside of the state, so that states of all record types are copied in the same fast way.
    var value: Record {
        get { content.record }
        set { content = RecordBox(newValue) }
    }
    private(set) var content: RecordBox<Record>
    /// The encoded value; nil if it cannot be encoded.
    var bytes: [UInt8]?
    /// The stored value that the edits of a value began with, if a newer stored value could not be merged into it: the
    /// value has no encoded form, or the merged record does not decode. A later edit merges again, and a save before
    /// that throws; nil if there is nothing to merge.
    var editedFrom: [UInt8]?
    /// The stored value as last seen; nil if no record was stored.
    var stored: [UInt8]?
    /// The value that the edits began with, if that is not ``stored``: others have changed the record since. An edited
    /// property is as it was stored when its edit began, and all others are as they were stored when the first edit
    /// began.
    var start: [UInt8]?
    /// The thread that has made the last changes of the value, and the revision from which on it has made all of them.
    var changing: (thread: UInt, since: Int) = (0, 0)
    /// The save of a write transaction that is still open.
    var open: OpenSave?
    /// The number of the transaction that `stored` is from; -1 before the first.
    var snapshot: Int
    /// The number of the snapshot in which the record was last read; -1 before the first. A save knows the record that
    /// it has stored, and not the other changes of its transaction.
    var lastRead: Int
    /// Counts the changes of the state.
    var revision = 0
    var isDraft = false
    var isDeleted = false
    /// Whether the key was changed.
    var hasOtherKey = false
    /// Counts the edits that have set relations.
    var relationEdits = 0
    /// The count of these edits at the last save.
    var savedRelationEdits = 0
    var hasChanges = false
    /// Whether the last attempt to read the record has failed.
    var isUnread = false

    /// Creates the state of a stored record.
    init(_ found: FoundRecord<Record>, at snapshot: Int) {
        content = RecordBox(found.record)
        bytes = found.bytes
        stored = found.bytes
        (self.snapshot, lastRead) = (snapshot, snapshot)
    }

    /// Creates the state of a draft.
    init(draft: Record) {
        content = RecordBox(draft)
        (snapshot, lastRead) = (-1, -1)
        hasChanges = true
        becomeDraft(draft)
    }

    /// Takes over a record that is to be stored as a new one.
    mutating func becomeDraft(_ record: Record) {
        if isDeleted, !isOpen { stored = nil }
        (editedFrom, start) = (nil, nil)
        // A save of a draft that cannot be stored throws the error.
        (value, bytes) = (record, try? record.encodedValue())
        (isDraft, isDeleted) = (true, false)
        if record.hasRelationsSet { relationEdits += 1 }
    }

    /// Whether there are changes that are not committed.
    var isUnsaved: Bool { hasChanges || isOpen }

    /// Whether a write transaction that is still open has saved the object.
    var isOpen: Bool { open != nil }

    /// Whether the state shows a stored record, as far as the rounds have read it.
    var isUpToDate: Bool { !isDeleted && !isDraft && !isUnread }

    /// The value that edits are compared with; nil for a draft.
    var base: [UInt8]? { open.map { $0.result?.bytes } ?? (isDraft ? nil : editedFrom ?? stored) }

    /// Whether relations were set that are not saved.
    var hasRelations: Bool { relationEdits != (open?.relationEdits ?? savedRelationEdits) }

    /// Returns whether an edit of the value of an older state is an edit of this one.
    func hasValue(of other: LiveState) -> Bool {
        guard relationEdits == other.relationEdits, isDraft == other.isDraft else { return false }
        if content === other.content { return true }
        // A commit takes relations out of the value, which the encoded value does not show.
        return bytes != nil && bytes == other.bytes && !other.value.hasRelationsSet
    }

    /// Returns the parts that differ from an older state.
    func parts(changedSince old: LiveState) -> LiveParts {
        var parts: LiveParts = []
        if isDraft != old.isDraft { parts.insert(.isDraft) }
        if isDeleted != old.isDeleted { parts.insert(.isDeleted) }
        if hasChanges != old.hasChanges { parts.insert(.hasChanges) }
        if let bytes, let oldBytes = old.bytes {
            let difference = EditMerge(Record.schema).difference(oldBytes, bytes)
            if !difference.isEmpty { parts.formUnion([difference, .value]) }
        } else if bytes != nil || old.bytes != nil {
            parts.formUnion([.allFields, .value])
        }
        if hasOtherKey || old.hasOtherKey || relationEdits != old.relationEdits { parts.insert(.value) }
        return parts
    }
}
