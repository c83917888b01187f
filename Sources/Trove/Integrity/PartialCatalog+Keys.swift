// The keys in findings, as text.

import LMDB
import TroveCoding

extension PartialCatalog {
    /// Adds the texts of keys to the findings of a report, as far as the catalog has their layouts.
    func describeKeys(in report: inout FileReport) {
        let types = completeTypes
        for index in report.findings.indices {
            let finding = report.findings[index]
            guard let key = finding.key, let name = finding.table.flatMap(TableName.init),
                let type = types[name.keyPrefix]
            else { continue }
            if name.table != .records {
                report.findings[index].keyText = storedIndex(name).flatMap { type.entryKey(key, of: $0).text }
            } else if name.generation == type.generation {
                report.findings[index].keyText = type.storedKey(key).text
            }
        }
    }
}
