// The description of the error for a store with features that this version of Trove lacks.

extension StoreError.FileError {
    /// Describes the missing features. Without a feature needed to read, the groups of the others do not matter.
    static func missingFeaturesText(_ path: String, _ features: [StoreFeature]) -> String {
        let list = features.map(\.description).joined(separator: ", ")
        let words = "\(features.count == 1 ? "the feature" : "the features") \(list)"
        return features.contains { $0.group == .neededToRead }
            ? "\(path) uses \(words) of the format, and this version of Trove cannot read such a store. Open it with a later version."
            : "\(path) uses \(words) of the format, and this version of Trove cannot write to such a store, only read it. Write to it with a later version."
    }
}
