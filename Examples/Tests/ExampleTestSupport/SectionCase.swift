// A section as the argument of a test.

import ExampleReport
import Testing

/// A section, named in the test's output.
package struct SectionCase: Sendable, CustomTestStringConvertible {
    package let section: Section
    package var testDescription: String { section.title }

    package init(section: Section) { self.section = section }
}
