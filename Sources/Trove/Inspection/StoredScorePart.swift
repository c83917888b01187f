// The part of a score that a word adds.

/// The part of a hit's score that a word or a phrase of the query adds.
package struct StoredScorePart: Hashable, Sendable {
    /// The number of times that a property has the word or the phrase.
    package struct Count: Hashable, Sendable {
        /// The stored name of the property.
        package let property: String
        package let count: Int
    }

    /// The word or the phrase in the language of typed queries.
    package let word: String
    /// The words of the record that were found in place of a word that may have edits.
    package let found: [String]
    package let score: Double
    /// The number of records with each word of the phrase.
    package let records: [Int]
    /// The properties with the word or the phrase.
    package let counts: [Count]
}
