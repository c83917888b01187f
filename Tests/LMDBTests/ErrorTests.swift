// The descriptions of errors.

import LMDB
import Testing

@Suite struct ErrorTests {
    /// This wrapper's own codes; liblmdb and the system have messages for their codes.
    static let ownCodes: [LMDBError.Code] = [
        .transactionEnded, .wrongThread, .nestedWrite, .nestedTransactionOpen, .usedAfterFork, .hardLinked, .emptyFile,
        .databaseNotFound, .databaseNotUsable, .badKeySize, .notAscending, .mapResizedElsewhere, .openedDifferently,
        .readOnlyEnvironment, .badValueSize, .notAFile, .badDatabaseName, .busy, .valueOpen, .truncated, .writerBusy,
        .lockFileReplaced, .fileReplaced, .readExpired, .changing, .noAddressSpace, .otherFormat,
        .otherEngineInUse, .unsupportedFile, .foreignTables, .cancelled, .suspended,
        .writerLockOrphaned,
    ]

    @Test(arguments: ownCodes) func everyCode_saysWhatHappened_beforeWhatToDo(code: LMDBError.Code) throws {
        let description = LMDBError(code, in: "doing", path: "/a/file", limit: 7).description
        let end = try #require(description.firstRange(of: " in doing at /a/file"))
        let summary = description[..<end.lowerBound].prefix { $0 != "(" }
        let advice = description[end.upperBound...]
        #expect(summary.count > 10, "\(description)")
        #expect(!summary.contains("\(code.rawValue)"), "\(description)")
        #expect(!advice.contains(summary.dropLast()), "\(description)")
    }

    @Test func aWriteOfWhichThereWasNoRoomForAll_isAFullDisk() {
        // LMDB 1.0 has a code of its own for what is an input or output error in 0.9.
        for code in [LMDBError.Code.inputOutput, .shortWrite] {
            #expect(LMDBError.Code(writing: code.rawValue, availableBytes: 0) == .diskFull)
            #expect(LMDBError.Code(writing: code.rawValue, availableBytes: 1 << 30) == .inputOutput)
            #expect(LMDBError.Code(writing: code.rawValue, availableBytes: nil) == .inputOutput)
        }
    }
}
