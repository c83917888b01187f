// The transitions of a live object's state: edits, saves, reads. None of them runs under a lock, since they call the
// coding of the record.

import TroveCoding

extension LiveState {
    /// Finds out whether there are changes to save.
    ///
    /// - Parameters:
    ///   - key: The key of the object.
    ///   - mayHaveNewKey: Whether the last change may have given the value another key.
    mutating func compare(_ key: [UInt8], mayHaveNewKey: Bool) {
        if hasOtherKey || mayHaveNewKey { hasOtherKey = !value.hasKey(key) }
        let isNew = isDraft && !isOpen
        let isEdited = bytes == nil || bytes != (open?.sent ?? stored)
        // A deleted record without edits has nothing to save, whatever its key.
        hasChanges = isNew || isEdited || !isDeleted && (hasOtherKey || hasRelations)
    }

    // MARK: Edits

    /// Takes over an edited value.
    ///
    /// - Parameters:
    ///   - seen: The state that was edited. If the state has changed since, both changes are merged.
    ///   - mine: The edited value.
    ///   - encoded: The encoded value; nil if it cannot be encoded.
    ///   - changesRelations: Whether the edit may have set relations.
    mutating func edit(_ seen: LiveState, to mine: Record, _ encoded: [UInt8]?, changesRelations: Bool) {
        let setsRelations = changesRelations && mine.setsRelations(otherThan: seen.value)
        if setsRelations { relationEdits += 1 }
        let before = bytes
        defer {
            noteStart(ofEditFrom: before)
            mergeWithStored()
        }
        guard seen.revision != revision, let encoded, let base = seen.bytes, let current = bytes,
            let merged = mine.merged(base: base, mine: encoded, theirs: current)
        else {
            (value, bytes) = (mine, encoded)
            return
        }
        // The value has the relations of the edit that has set them.
        let isSetElsewhere = !setsRelations && seen.relationEdits != relationEdits
        value = isSetElsewhere ? merged.record.withoutRelations.withRelations(of: value) : merged.record
        bytes = merged.bytes
    }

    /// Merges a value that could not be merged before with the record that was stored meanwhile.
    private mutating func mergeWithStored() {
        guard let bytes, let base = editedFrom, let theirs = open?.result?.bytes ?? stored else { return }
        guard let merged = value.merged(base: base, mine: bytes, theirs: theirs) else { return }
        editedFrom = nil
        if let start, !isOpen {
            // Without the newer start, a save finds more changes by others, and never fewer.
            let next = try? EditMerge(Record.schema).start(start, of: bytes, on: base, following: theirs)
            self.start = next ?? start
        }
        (value, self.bytes) = (merged.record, merged.bytes)
        forgetStartWithoutEdits()
    }

    /// Notes the value that the edits begin with, after an edit of a record that others have changed since the first
    /// edit.
    private mutating func noteStart(ofEditFrom before: [UInt8]?) {
        guard let start, let stored, let before, let bytes, editedFrom == nil else { return }
        // Without the newer start, a save compares the record with an older one.
        let next = try? EditMerge(Record.schema).start(start, on: stored, from: before, to: bytes)
        self.start = next ?? start
        forgetStartWithoutEdits()
    }

    private mutating func forgetStartWithoutEdits() {
        if bytes == stored, !hasRelations { start = nil }
    }

    /// Gives the edits up. A draft is then gone, unless a transaction has saved it.
    mutating func revert(_ key: [UInt8]) {
        editedFrom = nil
        if var save = open, let result = save.result {
            (value, bytes) = (result.record, result.bytes)
            (save.sent, save.relationEdits, save.isReverted) = (result.bytes, relationEdits, true)
            open = save
            return
        }
        start = nil
        savedRelationEdits = relationEdits
        if stored == nil {
            (isDraft, isDeleted) = (false, true)
            markUnedited()
            return
        }
        isDraft = false
        // A deleted object may have bytes without fields: then it keeps its value, without edits.
        if let stored, let record = try? Record(key: key, encodedValue: stored) { (value, bytes) = (record, stored) }
    }

    /// Lets a deleted object keep its value, without edits.
    private mutating func markUnedited() {
        bytes = bytes ?? StoredValue.withoutFields
        (stored, start, editedFrom) = (bytes, nil, nil)
    }

    // MARK: Stored records

    /// Takes over the record that was read in a snapshot.
    ///
    /// - Parameters:
    ///   - found: The stored record; nil if there is none.
    ///   - number: The number of the snapshot's transaction. An older state than the last one changes nothing.
    mutating func adopt(_ found: FoundRecord<Record>?, at number: Int) {
        guard number >= snapshot else { return }
        if let open, number >= open.transaction { commit(open) }
        (snapshot, lastRead, isUnread) = (number, number, false)
        if isOpen { return adoptUnderSave(found) }
        guard let found else {
            if isDraft { stored = nil } else { isDeleted = true }
            return
        }
        defer { stored = found.bytes }
        if isDraft {
            // A commit that was reported as failed may have stored it.
            isDraft = found.bytes != bytes
            return
        }
        isDeleted = false
        if found.bytes != stored { follow(found) }
    }

    /// Takes over a newer stored record, keeping the edits and the value that they began with. ``stored`` is still the
    /// older one.
    mutating func follow(_ found: FoundRecord<Record>) {
        if let stored, bytes != stored || hasRelations {
            let first = start ?? stored
            // Without the newer start, a save finds more changes by others, and never fewer.
            let next = try? bytes.map {
                try EditMerge(Record.schema).start(first, of: $0, on: stored, following: found.bytes)
            }
            start = next ?? first
        }
        rebase(from: stored, to: found)
        if bytes == found.bytes, !hasRelations { start = nil }
    }

    /// Takes over that the record was read in a snapshot, and was the stored one still. Returns false if the state has
    /// changed meanwhile, so that there is more to do.
    ///
    /// - Parameters:
    ///   - found: The record that was found.
    ///   - number: The number of the snapshot's transaction.
    mutating func adoptUnchanged(_ found: [UInt8], at number: Int) -> Bool {
        guard !isOpen, !isDraft, !isDeleted, stored == found else { return false }
        if number >= snapshot { (snapshot, lastRead) = (number, number) }
        isUnread = false
        return true
    }

    /// Takes over the record that was stored before a transaction that has saved the object. The save has seen it
    /// already, so it must not look like an edit made after the save.
    private mutating func adoptUnderSave(_ found: FoundRecord<Record>?) {
        if !isDraft || open?.replaced != nil { open?.wasDeleted = found == nil }
        guard let found else {
            if isDraft { stored = nil }
            return
        }
        defer { stored = found.bytes }
        guard !isDraft, let stored, found.bytes != stored, let sent = open?.sent else { return }
        guard let rebased = Self.rebased(sent, from: stored, to: found.bytes) else { return }
        // Should the save be undone, these are edits again.
        let isEdited = sent != stored || bytes != sent || relationEdits != savedRelationEdits
        let first = start ?? stored
        // Without the newer start, a save finds more changes by others, and never fewer.
        let next = try? EditMerge(Record.schema).start(first, of: bytes ?? sent, on: stored, following: found.bytes)
        start = isEdited ? next ?? first : nil
        rebase(from: stored, to: found)
        open?.sent = rebased
    }

    /// Returns the sent value on a newer stored record; nil if one of the values cannot be read.
    private static func rebased(_ sent: [UInt8], from base: [UInt8], to theirs: [UInt8]) -> [UInt8]? {
        // The callers then keep the sent value as it is.
        try? EditMerge(Record.schema).merge(base: base, mine: sent, theirs: theirs)
    }

    /// Returns the value that a save has sent, as it would be without edits made after the save: a round may have come
    /// between the save's look at the object and its end.
    ///
    /// - Parameter seen: The state that was saved.
    func sent(_ sent: [UInt8], by seen: LiveState) -> [UInt8] {
        guard !isDraft, let base = seen.stored, let stored, stored != base else { return sent }
        return Self.rebased(sent, from: base, to: stored) ?? sent
    }

    /// Takes over a record that a save has stored, or a delete that has been committed.
    mutating func commit(_ save: OpenSave) {
        open = nil
        savedRelationEdits = save.result == nil ? relationEdits : save.relationEdits
        isDraft = false
        guard let result = save.result else {
            if let left = save.left { (value, bytes) = (left.record, left.bytes) }
            isDeleted = true
            markUnedited()
            return
        }
        isDeleted = false
        rebase(from: save.sent, to: result)
        (stored, start) = (result.bytes, nil)
    }

    /// Goes back to an earlier save of the transaction, or to the stored record.
    ///
    /// - Parameters:
    ///   - earlier: The earlier save; nil if there is none.
    ///   - keepsEdits: Whether the object keeps its edits.
    mutating func undo(to earlier: OpenSave?, keepsEdits: Bool, _ key: [UInt8]) {
        let undone = open
        if !keepsEdits, let replaced = undone?.replaced, replaced !== earlier?.replaced {
            return restore(replaced.state, key)
        }
        let wasDeleted = undone?.wasDeleted ?? isDeleted
        open = earlier
        open?.wasDeleted = wasDeleted
        // The record that a new one should have replaced is still stored: then the new value is an edit.
        if earlier == nil, undone?.replaced.map({ !$0.state.isDraft }) ?? false, !wasDeleted { isDraft = false }
        isDeleted = earlier.map { $0.result == nil } ?? (wasDeleted && !(keepsEdits && isDraft))
        if !keepsEdits {
            revert(key)
        } else if let undone, undone.isReverted, earlier == nil {
            giveUp(undone, key)
        }
    }

    /// Gives up the edits that a save has stored and that were reverted before it was undone. Later edits stay.
    private mutating func giveUp(_ save: OpenSave, _ key: [UInt8]) {
        start = nil
        // A stored record that does not decode is left to `revert`.
        guard bytes != save.sent, !isDraft, let stored, let record = try? Record(key: key, encodedValue: stored) else {
            return revert(key)
        }
        rebase(from: save.sent, to: FoundRecord(record, bytes: stored))
    }

    /// Goes back to the state that a new record has replaced, and then to the record that was read meanwhile.
    private mutating func restore(_ before: LiveState, _ key: [UInt8]) {
        let now = self
        self = before
        revision = now.revision
        guard now.snapshot > snapshot else { return }
        if now.open?.wasDeleted ?? false {
            adopt(nil, at: now.snapshot)
        } else if let stored = now.stored {
            // A record that does not decode is read again by its next use, which throws the error.
            guard let record = try? Record(key: key, encodedValue: stored) else {
                isUnread = true
                return
            }
            adopt(FoundRecord(record, bytes: stored), at: now.snapshot)
        }
    }

    /// Replaces the value, keeping the edits since `base`.
    private mutating func rebase(from base: [UInt8]?, to found: FoundRecord<Record>) {
        let first = editedFrom ?? base
        guard let bytes else {
            editedFrom = first
            return
        }
        guard bytes != base, bytes != first, let from = first else {
            editedFrom = nil
            // Also relations that an open save has sent: it may be undone.
            let keepsRelations = relationEdits != savedRelationEdits
            value = keepsRelations ? found.record.withRelations(of: value) : found.record
            self.bytes = found.bytes
            return
        }
        guard let merged = value.merged(base: from, mine: bytes, theirs: found.bytes) else {
            editedFrom = from
            return
        }
        editedFrom = nil
        (value, self.bytes) = (merged.record, merged.bytes)
    }
}
