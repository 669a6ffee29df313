from itertools import product

import pytest

from pelican import index
from rotation.loop_form.points import (
    all_values,
    arms_at_points,
    deciding_exprs,
    fits_64_bits,
    grid,
    loops_in,
    values_at_points,
)
from tests.rotation.programs import kernel

OUTER, INNER = index("i", -2, 7, 3), index("j", 0, 2)


def test_a_grid_has_every_point_in_the_order_of_the_nest():
    """The last loop runs fastest."""
    columns = grid({OUTER: all_values(OUTER), INNER: all_values(INNER)})
    found = list(zip(columns[OUTER].tolist(), columns[INNER].tolist(), strict=True))

    assert found == list(product([-2, 1, 4], [0, 1]))


def test_a_grid_of_no_loops_is_one_point():
    """An expression without a loop has its value there."""
    assert values_at_points(OUTER - OUTER + 5, grid({}), 1).tolist() == [5]


def test_an_expression_has_its_value_at_every_point():
    """As one evaluation after the other gives it."""
    expr = (4 * OUTER + INNER) % 5 - OUTER // 2
    columns = grid({OUTER: all_values(OUTER), INNER: all_values(INNER)})
    points = product([-2, 1, 4], [0, 1])

    assert values_at_points(expr, columns, 6).tolist() == [
        int(expr.eval({OUTER: i, INNER: j})) for i, j in points
    ]


def test_the_points_of_an_arm_are_those_at_which_it_is_done():
    """Of both arms, from what the `if` compares."""
    function = kernel(
        """kernel k on planning { sb t [4] fp32 for i in [0, 4) {
        if i > 2 { a: vector.a t <- } else { b: vector.b t <- } } }"""
    )
    then, other = (function.arms_of[one] for one in function.instructions)
    used = loops_in(deciding_exprs(then))
    columns = grid({loop: all_values(loop) for loop in used})

    assert arms_at_points(then, columns, 4).tolist() == [False, False, False, True]
    assert arms_at_points(other, columns, 4).tolist() == [True, True, True, False]


@pytest.mark.parametrize(
    ("expr", "fits"),
    [
        (2**62 * INNER, True),
        (2**63 * INNER, False),
        (OUTER + 2**63, False),
        (OUTER % 2**70, False),
        (index("n", 0) + 1, False),
    ],
    ids=str,
)
def test_every_number_on_the_way_must_fit(expr, fits: bool):
    """Coefficients, literals and ranges; a range without an end does not."""
    assert fits_64_bits(expr) is fits
