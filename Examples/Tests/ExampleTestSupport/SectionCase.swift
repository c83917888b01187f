// A section as the argument of a test.

import ExampleReport

/// A section, named in the test's output.
package struct SectionCase: Sendable, CustomStringConvertible {
    package let section: Section
    package var description: String { section.title }

    package init(section: Section) { self.section = section }
}
