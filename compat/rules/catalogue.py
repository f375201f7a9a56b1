"""The catalogue: every rule by its id, families in the order in which people read about them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from compat.rules.annotations import ANNOTATION_RULES
from compat.rules.arrays import ARRAY_RULES
from compat.rules.composition import COMPOSITION_RULES
from compat.rules.identity import FORCELESS_RULES, IDENTITY_RULES
from compat.rules.numbers import NUMBER_RULES
from compat.rules.objects import OBJECT_RULES
from compat.rules.references import DEFINITION_RULES, REFERENCE_RULES
from compat.rules.rule import Rule
from compat.rules.strings import STRING_RULES
from compat.rules.types import TYPES, VALUES

FAMILIES: Mapping[str, tuple[Rule, ...]] = MappingProxyType(
    {
        "Types": TYPES,
        "Allowed values": VALUES,
        "Numbers": NUMBER_RULES,
        "Strings": STRING_RULES,
        "Objects": OBJECT_RULES,
        "Arrays": ARRAY_RULES,
        "Combinations": COMPOSITION_RULES,
        "References": REFERENCE_RULES,
        "Definitions": DEFINITION_RULES,
        "Annotations": ANNOTATION_RULES,
        "Identity": IDENTITY_RULES,
        "Without force, and everything else": FORCELESS_RULES,
    }
)
RULES: Mapping[str, Rule] = MappingProxyType({rule.id: rule for family in FAMILIES.values() for rule in family})
