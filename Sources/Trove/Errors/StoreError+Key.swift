// The key of the record that an error is about.

import TroveCoding

extension StoreError {
    /// The key of the record; nil for an error about something else.
    ///
    /// It is the key of the rejected record in ``notUnique(type:index:key:existing:)``, the new key in
    /// ``keysCollide(type:key:records:)``, and the key of the index entry in ``indexDamaged(type:index:key:)``.
    public var key: StoredKey? {
        switch self {
        case .keyExists(_, let key), .notUnique(_, _, let key, _), .corrupted(_, let key, _),
            .unreadable(_, let key, _, _),
            .checksumMismatch(_, let key), .indexDamaged(_, _, let key), .noContinuation(_, let key),
            .keyChanged(_, let key), .unconvertible(_, _, let key, _), .keysCollide(_, let key, _),
            .collisionRuleRepeats(_, _, let key), .deleteDenied(_, let key, _, _),
            .relationNotUnique(_, let key, _), .linkTooLarge(_, let key, _, _), .graphTooDeep(_, let key, _),
            .hooksTooDeep(_, let key, _), .changedElsewhere(_, let key, _), .recordGone(_, let key),
            .ofOtherStore(_, let key, _):
            key
        // Without a default, so that the compiler reports each new case.
        case .keyTooLarge, .relationMismatch, .unencodable, .idsExhausted, .noFullTextIndex, .textNotReady, .noPhrases,
            .gatheringFailed, .notInTextIndex, .valueTooLarge, .noAddressSpace,
            .noGatheredText,
            .unknownAnalyzer, .textTooDeep, .filterTooDeep, .noCondition, .notStored, .wrongKeyComponents, .sumOverflow,
            .notAComponent, .notKept, .relationNotStored,
            .unknownLayout, .layoutDamaged, .layoutMalformed, .listIsReading,
            .unsupportedMigration, .noConversion, .prefixTaken, .prefixesTaken, .layoutChanged, .keyLayoutChanged,
            .relationChanged,
            .schemaNewer, .indexDeclaredTwice, .indexOfJSON, .wrongNumberOfTexts, .noSuchIndex, .migrationRefused,
            .valuesWouldBeLost,
            .notAFileURL,
            .notAStore, .formatTooNew, .formatTooOld, .truncated, .damaged, .verificationFailed, .hardLinked,
            .lockFileReplaced, .fileReplaced, .openedDifferently, .missing, .noPermission, .diskFull, .commitFailed,
            .writerBusy, .busy, .readExpired, .usedAfterFork, .closed, .closedInTransaction, .transactionEnded,
            .wrongThread, .nestedWrite, .nestedTransactionOpen, .readOnly, .tooManyReaders, .tooManyTables,
            .invalidOption, .mapFull, .storage:
            nil
        }
    }
}
