extension String {
    /// Returns the text with another one in the place of each occurrence of a scalar, also where a mark behind it makes one
    /// character with it: shells and parsers know scalars only.
    package func replacing(scalar: Unicode.Scalar, with text: String) -> String {
        var result = String.UnicodeScalarView()
        for one in unicodeScalars {
            if one == scalar { result.append(contentsOf: text.unicodeScalars) } else { result.append(one) }
        }
        return String(result)
    }
}
