// Verifies the pages of a store's file before the store is opened.

import LMDB

extension Environment {
    /// Throws if a page of the last commit is damaged, so that reading it could end the process.
    ///
    /// Checksums of the store's entries are not verified: reading such an entry throws an error.
    func refuseDamagedPages(_ progress: @escaping (Int, Int) -> Void) throws {
        let report = try translatingErrors { try verify(PageProgress(progress)) }
        // A tree of another program is not verified. A store has none.
        let isStore = report.tables.contains { $0.name == CatalogStorage.name }
        let findings = report.findings.filter { $0.isDamage || $0.kind == .foreign }
        guard !findings.isEmpty else { return }
        guard isStore || !report.isSound else { throw StoreError.file(.notAStore(path: path, reason: nil)) }
        throw StoreError.file(.verificationFailed(path: path, findings: findings))
    }
}
