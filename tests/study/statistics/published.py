"""Tables printed in publications, with where they stand. NaN is a rating that is missing there."""

import numpy as np

NONE = np.nan

# Krippendorff (2011), "Computing Krippendorff's alpha-reliability", example C; also in Gwet's handbook (4 raters, 12 units)
FOUR_OBSERVERS = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NONE, NONE, NONE],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NONE, 3],
        [NONE, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NONE],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NONE],
    ]
).T

# the same paper, example A: two observers, ten units, yes or no
TWO_OBSERVERS = np.array([[0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]], dtype=float).T

# Shrout and Fleiss (1979), Table 2: six targets, four judges
SHROUT_FLEISS = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], dtype=float
)

# Fleiss (1971), Table 1: 30 patients, six psychiatrists, five diagnoses; how many psychiatrists gave each
FLEISS = np.array(
    [
        *([0, 0, 0, 6, 0], [0, 3, 0, 0, 3], [0, 1, 4, 0, 1], [0, 0, 0, 0, 6], [0, 3, 0, 3, 0], [2, 0, 4, 0, 0]),
        *([0, 0, 4, 0, 2], [2, 0, 3, 1, 0], [2, 0, 0, 4, 0], [0, 0, 0, 0, 6], [1, 0, 0, 5, 0], [1, 1, 0, 4, 0]),
        *([0, 3, 3, 0, 0], [1, 0, 0, 5, 0], [0, 2, 0, 3, 1], [0, 0, 5, 0, 1], [3, 0, 0, 1, 2], [5, 1, 0, 0, 0]),
        *([0, 2, 0, 4, 0], [1, 0, 2, 0, 3], [0, 0, 0, 0, 6], [0, 1, 0, 5, 0], [0, 2, 0, 1, 3], [2, 0, 0, 4, 0]),
        *([1, 0, 0, 4, 1], [0, 5, 0, 1, 0], [4, 0, 0, 0, 2], [0, 2, 0, 4, 0], [1, 0, 5, 0, 0], [0, 0, 0, 0, 6]),
    ],
    dtype=float,
)

# Gwet's handbook and the documentation of irrCAC: two abstractors, 100 pregnancies, three kinds
ABSTRACTORS = np.array([[13, 0, 0], [0, 20, 7], [0, 4, 56]])

# Agresti and Winner (1997): the films of two reviewers, con, mixed and pro
REVIEWERS = np.array([[24, 8, 13], [8, 13, 11], [10, 9, 64]])

# Hollander and Wolfe (1973), p. 29: Hamilton's depression factor of nine patients before and after a tranquilliser
BEFORE = np.array([1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30])
AFTER = np.array([0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29])

# Agresti, Categorical Data Analysis (2nd edition), Table 10.10: American League East, 1987; row beats column
BASEBALL_TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
BASEBALL = (
    (0, 7, 9, 7, 7, 9, 11),
    (6, 0, 7, 5, 11, 9, 9),
    (4, 6, 0, 7, 7, 8, 12),
    (6, 8, 6, 0, 6, 7, 10),
    (6, 2, 6, 7, 0, 7, 12),
    (4, 4, 5, 6, 6, 0, 6),
    (2, 4, 1, 3, 1, 7, 0),
)


def pairs_of(table: np.ndarray) -> np.ndarray:
    """A table of counts as one row a subject: (subjects, 2), values from 1."""
    rows, columns = np.indices(table.shape) + 1
    return np.repeat(np.column_stack([rows.ravel(), columns.ravel()]), table.ravel(), axis=0).astype(float)
